import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'

/** Cuts the subject out of a picture. Throws `model.missing`. */
export const cutOut: Processor<'cut-out'> = () => Promise.reject(new AppError('model.missing', {}))
