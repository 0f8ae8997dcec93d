import { failed } from './forward.ts'
import type { GrantedFile } from '#shared/desktop'
import { AppError, type WireError } from '#shared/errors/app-error'

/** Jobs on this computer, and the files they work on, as the shell sees them. */
export interface Local {
  handle(request: Request): Promise<Response>
  grant(
    files: readonly { readonly path: string; readonly folder?: string }[],
  ): Promise<readonly (GrantedFile | { readonly error: WireError })[]>
  open(paths: readonly string[]): Promise<readonly GrantedFile[]>
  keep(name: string, bytes: Uint8Array): Promise<GrantedFile>
  result(jobId: string, n: number): Promise<string>
  chosenFolder(path: string): Promise<string>
  announceAccount(): void
  readonly isBusy: boolean
  close(): Promise<void>
}

const away = (): Promise<never> => Promise.reject(new AppError('service.unavailable', {}))

/** Until there are jobs on this computer. */
export const interim: Local = {
  handle: () => Promise.resolve(failed('service.unavailable')),
  grant: away,
  open: () => Promise.resolve([]),
  keep: away,
  result: away,
  chosenFolder: (path) => Promise.resolve(path),
  announceAccount: () => {},
  isBusy: false,
  close: () => Promise.resolve(),
}
