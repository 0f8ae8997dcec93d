import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'

/** TODO: to be made. */
export const colourize: Processor<'colourize'> = async () => {
  throw new AppError('tool.unavailable', {})
}
