import { join } from 'node:path'
import { app, BrowserWindow, dialog, screen, type Rectangle } from 'electron'
import { CLIENT_ORIGIN } from '#shared/desktop'

const USUAL = { width: 1280, height: 860 }
export const LEAST = { width: 960, height: 600 }

/** Where the window was: its bounds when it is not maximised, and whether it was. */
export interface Place {
  readonly bounds: Rectangle
  readonly isMaximised: boolean
}

const overlap = (one: Rectangle, other: Rectangle): number =>
  Math.max(0, Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
  Math.max(0, Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y))

const within = (value: number, from: number, room: number): number => Math.round(Math.min(Math.max(value, from), from + room))

/** Bounds that can be seen and grasped: on the screen the window was on if it is still there, else in the middle of the first. */
export function fittingBounds(wanted: Rectangle | undefined, areas: readonly [Rectangle, ...Rectangle[]]): Rectangle {
  const [first] = areas
  const on =
    wanted && areas.filter((one) => overlap(one, wanted) > 0).toSorted((one, other) => overlap(other, wanted) - overlap(one, wanted))[0]
  const area = on ?? first
  const width = Math.min(Math.max(wanted?.width ?? USUAL.width, LEAST.width), area.width)
  const height = Math.min(Math.max(wanted?.height ?? USUAL.height, LEAST.height), area.height)
  return {
    x: on ? within(wanted.x, area.x, area.width - width) : Math.round(area.x + (area.width - width) / 2),
    y: on ? within(wanted.y, area.y, area.height - height) : Math.round(area.y + (area.height - height) / 2),
    width,
    height,
  }
}

/** Opens the window, shown once there is something in it. `folder` holds the bundled scripts. */
export function openWindow(place: Place | undefined, folder: string): BrowserWindow {
  const { workArea } = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().map((display) => display.workArea)
  const bounds = fittingBounds(place?.bounds, [workArea, ...others])
  const window = new BrowserWindow({
    ...bounds,
    minWidth: Math.min(LEAST.width, bounds.width),
    minHeight: Math.min(LEAST.height, bounds.height),
    show: false,
    title: '轻图',
    backgroundColor: '#ffffff',
    webPreferences: {
      preload: join(folder, 'preload.cjs'),
      additionalArguments: [`--qingtu-version=${app.getVersion()}`],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  })
  if (place?.isMaximised) window.maximize()
  window.once('ready-to-show', () => window.show())
  // Its own words are the page's title.
  window.on('page-title-updated', (event) => event.preventDefault())
  return window
}

/** Where a window is now, to be opened there the next time. */
export const placeOf = (window: BrowserWindow): Place => ({ bounds: window.getNormalBounds(), isMaximised: window.isMaximized() })

/** Shows a window that may be minimised or behind others. */
export function bringUp(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Asks whether to end while files are at work. */
export function mayEnd(window: BrowserWindow): boolean {
  const chosen = dialog.showMessageBoxSync(window, {
    type: 'question',
    title: '轻图',
    message: '还有文件正在处理',
    detail: '现在退出，没有完成的文件会在下次打开轻图时继续处理。',
    buttons: ['继续处理', '退出'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return chosen === 1
}

/** The page's first address. */
export const HOME = `${CLIENT_ORIGIN}/`
