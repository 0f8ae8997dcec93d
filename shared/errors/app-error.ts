import { errorTexts, type ErrorCode, type ErrorData } from '#shared/errors/codes'

/** A failure with a code; its cause stays on this side of the wire. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly data: ErrorData<C>

  constructor(code: C, data: ErrorData<C>, options?: ErrorOptions) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.data = data
  }
}

/** A failure as it travels between processes and over HTTP: a code and the data its words need, never a message or a path. */
export type WireError = { [C in ErrorCode]: { readonly code: C; readonly data: ErrorData<C> } }[ErrorCode]

/** The wire form of anything thrown; what is not an AppError is a bug and says nothing of itself. */
export function toWire(thrown: unknown): WireError {
  if (!(thrown instanceof AppError)) return { code: 'internal', data: {} }
  const { code, data } = thrown
  return { code, data } as WireError // the constructor tied this data to this code; the union can't be rebuilt from the widened class
}

/** The failure a wire form stands for, to be thrown again on this side. */
export const fromWire = (wire: WireError): AppError => new AppError(wire.code, wire.data)

/** The Chinese sentence for a failure: what happened and what to do. */
export function messageOf(error: WireError): string {
  const text: (data: typeof error.data) => string = errorTexts[error.code].text as never // each code's text takes that code's data, which WireError pairs
  return text(error.data)
}
