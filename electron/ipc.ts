import type { IpcMain, IpcMainInvokeEvent, WebContents, WebFrameMain } from 'electron'
import type { Log } from './log.ts'
import {
  CLIENT_ORIGIN,
  channels,
  type Answer,
  type ChannelName,
  type NewsName,
  type NewsOf,
  type ReplyOf,
  type RequestOf,
} from '#shared/desktop'
import { AppError, toWire } from '#shared/errors/app-error'

/** Before the names of questions and news, so that the preload script can reach no channel but those of the contract. */
export const ASK = 'ask:'
export const TELL = 'tell:'

/** What answers each channel; a missing one does not compile. */
export type Handlers = { readonly [Name in ChannelName]: (request: RequestOf<Name>) => Promise<ReplyOf<Name>> | ReplyOf<Name> }

/**
 * Whether a frame is the page: the top one of this window, at this client's origin. Frames in which people pay are neither. Nothing is made of
 * `detached`: Electron 42 says it of every page that is shown again after a crash.
 */
export const isPage = (frame: Pick<WebFrameMain, 'origin' | 'parent'> | null, sender: unknown, contents: unknown): boolean =>
  frame !== null && frame.parent === null && frame.origin === CLIENT_ORIGIN && sender === contents

/** Answers the page's questions. `contents` are the window's now; undefined where there is none. */
export function serveIpc(ipcMain: Pick<IpcMain, 'handle'>, contents: () => WebContents | undefined, handlers: Handlers, log: Log): void {
  const serve = <Name extends ChannelName>(name: Name): void => {
    ipcMain.handle(`${ASK}${name}`, async (event: IpcMainInvokeEvent, given: unknown): Promise<Answer<ReplyOf<Name>>> => {
      try {
        if (!isPage(event.senderFrame, event.sender, contents())) throw new AppError('request.refused', {})
        const parsed = channels[name].request.safeParse(given)
        if (!parsed.success) throw new AppError('request.invalid', {}, { cause: parsed.error })
        return { data: await handlers[name](parsed.data as RequestOf<Name>) } // the schema is this channel's
      } catch (error) {
        if (!(error instanceof AppError) || error.cause !== undefined) log(`${name} failed`, error)
        return { error: toWire(error) }
      }
    })
  }
  // An object's keys are strings to TypeScript; these are the contract's.
  for (const name of Object.keys(channels) as ChannelName[]) serve(name)
}

/** Tells the page of something; where there is none, nobody. */
export function tell<Name extends NewsName>(contents: WebContents | undefined, name: Name, told: NewsOf<Name>): void {
  if (contents && !contents.isDestroyed()) contents.send(`${TELL}${name}`, told)
}
