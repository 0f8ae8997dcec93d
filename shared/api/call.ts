import type { z } from 'zod/mini'

/** One call of the API: method, path under `/api`, and the shapes of what it takes and gives (inside `{data}`). */
export interface Call<Body extends z.ZodMiniType, Reply extends z.ZodMiniType> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/${string}`
  readonly body: Body
  readonly reply: Reply
}

/** Keeps a call's types exact. */
export const defineCall = <const Body extends z.ZodMiniType, const Reply extends z.ZodMiniType>(
  call: Call<Body, Reply>,
): Call<Body, Reply> => call
