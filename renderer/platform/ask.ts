import { desktop } from './desktop.ts'
import type { Answer, ChannelName, Placed, ReplyOf, RequestOf } from '#shared/desktop'
import { fromWire } from '#shared/errors/app-error'

/** Asks the main process of the client. Throws AppError. */
export const ask = async <Name extends Exclude<ChannelName, 'files:grant'>>(name: Name, request: RequestOf<Name>): Promise<ReplyOf<Name>> =>
  answered(await theDesktop().ask(name, request))

/** Has it grant files; each is answered for in its place. Throws AppError where none was. */
export const askGrants = async (files: readonly Placed<File>[]): Promise<ReplyOf<'files:grant'>> =>
  answered(await theDesktop().grant(files))

function theDesktop(): NonNullable<typeof desktop> {
  if (!desktop) throw new Error('there is no main process behind a browser')
  return desktop
}

function answered<Data>(answer: Answer<Data>): Data {
  if ('error' in answer) throw fromWire(answer.error)
  return answer.data
}
