import { destination, pino, type Logger } from 'pino'

/** What may never stand in a log, wherever it turns up. */
const SECRETS = [
  'openid',
  'loginID',
  'orderId',
  'orderid',
  'ticket',
  // Of a sign-in at WeChat.
  'code',
  'state',
  'SecurityToken',
  'AccessKeySecret',
  'password',
  'cookie',
  'authorization',
  'x-xsrf-token',
]

/** Without the values a statement was made with: file names, tickets, hashes. The driver's own words say what went wrong. */
const withoutValues = (text: string | undefined): string | undefined => text?.replace(/\nparams: [^]*?(?=\n {4}at |$)/g, '')

/** What the log tells of an error. */
export const describeError = (error: unknown): unknown =>
  error instanceof Error
    ? {
        type: error.name,
        message: withoutValues(error.message),
        stack: withoutValues(error.stack),
        ...(error.cause instanceof Error && { cause: `${error.cause.name}: ${withoutValues(error.cause.message)}` }),
      }
    : String(error)

/** One JSON line an event on stderr. Bodies are never logged; what could still carry a secret is blanked. */
export const openLog = (level: string): Logger =>
  pino(
    {
      level,
      redact: { paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination({ fd: 2, sync: true }),
  )
