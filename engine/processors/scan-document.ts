import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'

/** TODO: to be made. */
export const scanDocument: Processor<'scan-document'> = async () => {
  throw new AppError('tool.unavailable', {})
}
