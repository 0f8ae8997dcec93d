import type { LocalFeed, News, Reader } from './feed.ts'

const HEARTBEAT_MS = 15_000
/** An event, not a comment: the page tells by these whether the stream comes through. */
const HEARTBEAT = 'event: heartbeat\ndata:\n\n'
const ACCOUNT_NEWS = 'event: account\ndata:\n\n'

const textOf = (news: News): string => {
  if (news.kind === 'account') return ACCOUNT_NEWS
  return `${news.change === undefined ? '' : `id: ${news.change}\n`}event: job\ndata: ${JSON.stringify(news.view)}\n\n`
}

/** Server-sent events: every change of this computer's jobs after a number, and that the account may have changed. */
export function eventStream(feed: LocalFeed, after: number): Response {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform' }
  return new Response(new ReadableStream<Uint8Array>(new Teller(feed, after)), { headers })
}

type Controller = ReadableStreamDefaultController<Uint8Array>

/** What is told on one stream; of what may be left out, a reader that is behind is told nothing. */
class Teller {
  readonly #feed: LocalFeed
  readonly #after: number
  readonly #encoder = new TextEncoder()
  #reader: Reader | undefined
  #heartbeat: NodeJS.Timeout | undefined

  constructor(feed: LocalFeed, after: number) {
    this.#feed = feed
    this.#after = after
  }

  start(controller: Controller): void {
    const sendLightly = (text: string): void => {
      if (text !== '' && (controller.desiredSize ?? 0) > 0) this.#send(controller, text)
    }
    this.#send(controller, `retry: 2000\n\n${HEARTBEAT}`)
    this.#reader = this.#feed.join(this.#after, (news) => sendLightly(news.map(textOf).join('')))
    this.#heartbeat = setInterval(() => sendLightly(HEARTBEAT), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Tells the next news once there are some. */
  async pull(controller: Controller): Promise<void> {
    const reader = this.#reader
    if (!reader) return
    while (this.#feed.has(reader)) {
      const news = reader.take()
      if (news.length > 0) return this.#send(controller, news.map(textOf).join(''))
      await reader.wait()
    }
    // The jobs were closed, unless it was the stream.
    if (this.#heartbeat) controller.close()
    this.cancel()
  }

  cancel(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
    if (this.#reader) this.#feed.leave(this.#reader)
  }

  #send(controller: Controller, text: string): void {
    controller.enqueue(this.#encoder.encode(text))
  }
}
