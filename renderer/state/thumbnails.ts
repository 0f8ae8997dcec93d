import type { Thumbnail } from './rows.ts'

interface Task {
  readonly file: File
  readonly tell: (thumbnail: Thumbnail) => void
}

/** What a worker says of a file; without a picture it could not be read. */
export interface Made {
  readonly blob?: Blob
  readonly width: number
  readonly height: number
}

const WORKERS = 2
const tasks: Task[] = []
const idle: Worker[] = []
let started = 0

/** Has a small picture of a file made, off the main thread, two files at a time. */
export function makeThumbnail(file: File, tell: (thumbnail: Thumbnail) => void): void {
  tasks.push({ file, tell })
  next()
}

function next(): void {
  if (tasks.length === 0) return
  const worker = idle.pop() ?? (started < WORKERS ? start() : undefined)
  const task = worker && tasks.shift()
  if (!task) return
  const end = (thumbnail: Thumbnail): void => {
    task.tell(thumbnail)
    idle.push(worker)
    next()
  }
  worker.addEventListener(
    'message',
    ({ data: { blob, width, height } }: MessageEvent<Made>) => {
      end(blob ? { kind: 'picture', url: URL.createObjectURL(blob), width, height } : { kind: 'none' })
    },
    { once: true },
  )
  worker.postMessage(task.file)
}

function start(): Worker {
  started += 1
  return new Worker(new URL('./thumbnail.worker.ts', import.meta.url), { type: 'module' })
}
