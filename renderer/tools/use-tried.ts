import { useState } from 'react'
import { messageOf } from '../words.ts'
import { AppError, toWire } from '#shared/errors/app-error'

/** What was last refused, in words, and how something that may be refused is tried: whether it went through. */
export function useTried() {
  const [message, setMessage] = useState('')
  const tried = (run: () => void): boolean => {
    try {
      run()
      setMessage('')
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      setMessage(messageOf(toWire(error)))
      return false
    }
  }
  return { message, setMessage, tried }
}
