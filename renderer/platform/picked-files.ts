import type { Picked } from '../state/batch.ts'

const folderOf = (relative: string): string | undefined => relative.split('/').slice(0, -1).join('/') || undefined

/** What a file input gave; with a folder picked, each file knows where in it it lay. */
export const inputFiles = (list: FileList | null): readonly Picked[] =>
  [...(list ?? [])].filter(isWanted).map((file) => ({ file, path: folderOf(file.webkitRelativePath) }))

/** Files on the clipboard; a screenshot comes without a name of its own. */
export function pastedFiles({ clipboardData }: ClipboardEvent): readonly Picked[] {
  const files = [...(clipboardData?.files ?? [])]
  return files.map((file) => ({ file: file.name === 'image.png' ? named(file) : file, path: undefined }))
}

const pasted = new WeakSet<File>()

/** Whether a file was a picture on the clipboard: it lies nowhere. */
export const isPasted = (file: File): boolean => pasted.has(file)

const named = (file: File): File => {
  const time = new Date().toLocaleString('sv-SE').replace(/[: ]/g, '-')
  const kept = new File([file], `截图-${time}.png`, { type: file.type })
  pasted.add(kept)
  return kept
}

/** Everything dropped, folders opened to their depth. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly Picked[]> {
  // Entries must be asked for before the event is over; afterwards the list is empty.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found: Picked[] = []
  for (const entry of entries) await collect(entry, undefined, found)
  return found
}

async function collect(entry: FileSystemEntry, path: string | undefined, found: Picked[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) // isFile just said so
    if (isWanted(file)) found.push({ file, path })
    return
  }
  const inner = path === undefined ? entry.name : `${path}/${entry.name}`
  for (const child of await children(entry as FileSystemDirectoryEntry)) await collect(child, inner, found) // the only other kind
}

/** A folder gives its entries a hundred at a time, until it gives none. */
async function children(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** What systems leave in folders by themselves. */
const isWanted = ({ name }: File): boolean => !['.DS_Store', 'Thumbs.db', 'desktop.ini'].includes(name) && !name.startsWith('._')
