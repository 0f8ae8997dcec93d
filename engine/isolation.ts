import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a child process gets to see of the machine. */
export interface View {
  /** Where its jobs' folders are made: all that it may write. */
  readonly folder: string
  /** Files and folders it may read beside the program, the system's libraries and fonts; where left out, whatever its parent may. */
  readonly reads?: readonly string[]
}

/**
 * How far child processes are kept from the machine: in namespaces of their own (no network, no other processes, of the files what
 * their view says), only by limits that nothing they do can raise, or not at all.
 */
export type Isolation = 'namespaces' | 'limits' | 'none'

// The compiled program, whoever asks: tests run the sources.
const program = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist' : '..', import.meta.url))
const beside = (name: string): string => join(dirname(program), name)
const MB = 1024 ** 2

/** Read-only in every view: the system's libraries and fonts, what models ask about the processor, and the program. */
const system = ['/usr', '/etc/fonts', '/etc/alternatives', '/var/cache/fontconfig', '/sys/devices/system/cpu', '/nix/store']
const always = [...system, process.execPath, program, beside('node_modules')]
/** Links into `/usr` on most systems, folders on others. */
const roots = ['/bin', '/sbin', '/lib', '/lib32', '/lib64']
const devices = ['/dev/null', '/dev/urandom']
/** Small files that are copied: a mount costs a process. */
const copied = ['/etc/ld.so.cache', '/etc/localtime', beside('package.json')]

// Makes a root of what is in the view and nothing else, and goes there: arguments are the folder to write, the root, what to read, `--`, the command.
// What the outer system mounted without set-uid, devices or execution must stay so, or the kernel refuses. Under /proc root may write to the kernel itself, hence
// read-only. No further user namespace, in which a process would be its own root: much of the kernel can be reached from there only.
const enter = `
set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
folder=$1 root=$2; shift 2
mount --bind "$root" "$root"
while [ "$1" != -- ]; do
  case $1 in
    /dev/*) mount --bind "$1" "$root$1" ;;
    *) mount -o rbind,ro,nosuid,nodev "$1" "$root$1" 2>/dev/null || mount -o rbind,ro,nosuid,nodev,noexec "$1" "$root$1" ;;
  esac
  shift
done
shift
mount --bind "$folder" "$root$folder"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
echo 0 > "$root/proc/sys/user/max_user_namespaces"
mount -o remount,bind,ro,nosuid,nodev,noexec "$root/proc"
cd "$root"
pivot_root . .old
cd /
umount -l /.old
mount -o remount,bind,ro,nosuid,nodev,noexec /
cd "$folder"
exec "$@"`

// A child that nobody could kill any more ends by these. Processor time is that of 200 jobs; never the address space, of which WebAssembly reserves more than there is.
const limits = ['--core=0', '--cpu=48000', `--data=${12 * 1024 * MB}`, '--nproc=4096']
const bounded = ['setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', 'prlimit', ...limits]
// Ends with its parent, however that ends; in a process namespace all that it started ends with it.
const withParent = ['setpriv', '--pdeathsig', 'KILL']
const apart = ['unshare', '--user', '--map-root-user', '--net', '--ipc', '--pid', '--fork', '--kill-child']

/** A folder of a child's own in its view's: `temp` for its temporary files, and the root it sees. Its owner removes it. */
export function openOwnFolder({ folder, reads }: View): string {
  // Named as a workspace is, so that it is swept as one.
  const own = mkdtempSync(join(folder, `qingtu-${process.pid}-child-`))
  mkdirSync(join(own, 'temp'))
  if (process.platform === 'linux' && reads) layOut(join(own, 'root'), [...seen(reads), folder])
  return own
}

/** What of a view is there to be mounted. */
function seen(reads: readonly string[]): readonly string[] {
  const folders = roots.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink())
  return [...folders, ...always, ...devices, ...reads].filter((path) => existsSync(path))
}

/** An empty place for each path that will be mounted, and the few files that are copied. */
function layOut(root: string, mounted: readonly string[]): void {
  for (const path of ['/proc', '/.old']) mkdirSync(root + path, { recursive: true })
  for (const path of mounted) {
    const isFolder = lstatSync(path).isDirectory()
    mkdirSync(isFolder ? root + path : dirname(root + path), { recursive: true })
    if (!isFolder) writeFileSync(root + path, '')
  }
  for (const path of roots) if (existsSync(path) && lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), root + path)
  for (const path of copied) {
    if (!existsSync(path)) continue
    mkdirSync(dirname(root + path), { recursive: true })
    cpSync(path, root + path, { dereference: true })
  }
}

/** The command line that starts a command so far apart from the machine; `own` is from `openOwnFolder`. */
export function isolated(level: Isolation, { folder, reads }: View, own: string, command: readonly string[]): readonly string[] {
  if (level === 'none') return command
  if (level === 'limits') return [...withParent, ...bounded, ...command]
  if (!reads) return [...withParent, ...apart, ...bounded, ...command]
  const scene = ['sh', '-c', enter, 'sh', folder, join(own, 'root'), ...seen(reads), '--']
  return [...withParent, ...apart, '--mount', ...scene, ...bounded, ...command]
}

const known = new Map<string, Isolation>()

/** How far children with this view are kept apart here: tried once, by starting something so. */
export function isolationOf(view: View): Isolation {
  if (process.platform !== 'linux') return 'none'
  const key = JSON.stringify(view)
  const found = known.get(key) ?? (['namespaces', 'limits'] as const).find((level) => works(level, view)) ?? 'none'
  known.set(key, found)
  return found
}

function works(level: Isolation, view: View): boolean {
  // Without this list nobody knows a process in a namespace by its number outside.
  if (!existsSync(`/proc/self/task/${process.pid}/children`)) return false
  const own = openOwnFolder(view)
  try {
    const [first = '', ...rest] = isolated(level, view, own, [process.execPath, '--version'])
    return spawnSync(first, rest, { stdio: 'ignore', timeout: 10_000 }).status === 0
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
