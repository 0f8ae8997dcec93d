import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '#shared/desktop'

/** What the menu can have done. */
export interface MenuActions {
  readonly command: (command: MenuCommand) => void
  readonly openSite: () => void
  readonly openLogs: () => void
  readonly checkUpdates: () => void
  readonly quit: () => void
}

type Item = (label: string, command: MenuCommand, accelerator?: string) => MenuItemConstructorOptions

const line: MenuItemConstructorOptions = { type: 'separator' }

const fileMenu = (item: Item, quit: () => void): MenuItemConstructorOptions => ({
  label: '文件(&F)',
  submenu: [
    item('添加文件…', 'open-files', 'CommandOrControl+O'),
    item('添加文件夹…', 'open-folder', 'CommandOrControl+Shift+O'),
    line,
    item('开始处理', 'start', 'CommandOrControl+Enter'),
    item('全部取消', 'cancel-all'),
    item('清空列表', 'clear', 'CommandOrControl+Shift+Delete'),
    line,
    item('设置…', 'settings', 'CommandOrControl+,'),
    line,
    { label: '退出', click: quit, accelerator: 'CommandOrControl+Q' },
  ],
})

const editMenu: MenuItemConstructorOptions = {
  label: '编辑(&E)',
  submenu: [
    { label: '撤销', role: 'undo' },
    { label: '重做', role: 'redo' },
    line,
    { label: '剪切', role: 'cut' },
    { label: '复制', role: 'copy' },
    { label: '粘贴', role: 'paste' },
    { label: '全选', role: 'selectAll' },
  ],
}

const viewMenu = (isPackaged: boolean): MenuItemConstructorOptions => ({
  label: '视图(&V)',
  submenu: [
    { label: '重新加载', role: 'reload' },
    line,
    { label: '放大', role: 'zoomIn' },
    { label: '缩小', role: 'zoomOut' },
    { label: '实际大小', role: 'resetZoom' },
    line,
    { label: '全屏', role: 'togglefullscreen' },
    ...(isPackaged ? [] : [line, { label: '开发者工具', role: 'toggleDevTools' } as const]),
  ],
})

/** The menu: what the page can do by the page's own names, and what every program can. */
export function menuOf(actions: MenuActions, isPackaged: boolean): MenuItemConstructorOptions[] {
  const { command, openSite, openLogs, checkUpdates, quit } = actions
  const item: Item = (label, id, accelerator) => ({
    label,
    id,
    click: () => command(id),
    ...(accelerator !== undefined && { accelerator }),
  })
  const helpMenu: MenuItemConstructorOptions = {
    label: '帮助(&H)',
    submenu: [
      { label: '打开网站', click: openSite },
      item('登录', 'sign-in'),
      line,
      { label: '检查更新', click: checkUpdates },
      { label: '打开日志文件夹', click: openLogs },
      line,
      item('关于轻图', 'about'),
    ],
  }
  return [fileMenu(item, quit), editMenu, viewMenu(isPackaged), helpMenu]
}
