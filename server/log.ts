import { destination, pino, type Logger } from 'pino'

/** What may never stand in a log, wherever it turns up. */
const SECRETS = [
  'openid',
  'loginID',
  'orderId',
  'ticket',
  'SecurityToken',
  'AccessKeySecret',
  'password',
  'cookie',
  'authorization',
  'x-xsrf-token',
]

/** One JSON line an event on stderr. Bodies are never logged; what could still carry a secret is blanked. */
export const openLog = (level: string): Logger =>
  pino(
    {
      level,
      redact: { paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[redacted]' },
      serializers: {
        err: (error: unknown) =>
          error instanceof Error ? { type: error.name, message: error.message, stack: error.stack } : String(error),
      },
    },
    destination({ fd: 2, sync: true }),
  )
