import { PDFWorker, readingHalf } from './pdfjs.ts'

/** What pdf.js listens with. */
type Listener = (event: { readonly data: unknown }) => void

interface Instructions {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

const isInstructions = (value: unknown): value is Instructions =>
  typeof value === 'object' && value !== null && 'fnArray' in value && 'argsArray' in value

/**
 * A message as its receiver gets it. What pdf.js reads of a page goes from one half of it to the other as a list that is emptied then, of letters that
 * nobody changes: a new list of the same letters does, where a clone costs half of the reading. Everything else is cloned, as between threads.
 */
function received(message: unknown, transfer: readonly ArrayBuffer[]): unknown {
  const chunk: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'chunk') : undefined
  if (typeof message === 'object' && isInstructions(chunk))
    return { ...message, chunk: { ...chunk, fnArray: [...chunk.fnArray], argsArray: [...chunk.argsArray] } }
  return structuredClone(message, { transfer: [...transfer] })
}

/** The way between the two halves of pdf.js, the one that reads and the one that hands over, where both run in one thread. */
class LocalPort {
  readonly #listeners = new Set<Listener>()

  postMessage(message: unknown, transfer: readonly ArrayBuffer[] | null = null): void {
    const event = { data: received(message, transfer ?? []) }
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener(event)
    })
  }

  addEventListener(_: string, listener: Listener, { signal }: { readonly signal?: AbortSignal } = {}): void {
    this.#listeners.add(listener)
    signal?.addEventListener('abort', () => this.#listeners.delete(listener))
  }

  removeEventListener(_: string, listener: Listener): void {
    this.#listeners.delete(listener)
  }

  terminate(): void {
    this.#listeners.clear()
  }
}

/** The half of pdf.js that reads, in this thread; one for each document. */
export function localWorker(): InstanceType<typeof PDFWorker> {
  const port = new LocalPort()
  readingHalf.initializeFromPort(port)
  // Its types know of a browser's workers only.
  return PDFWorker.create({ port: port as unknown as NonNullable<Parameters<typeof PDFWorker.create>[0]['port']>, verbosity: 0 })
}
