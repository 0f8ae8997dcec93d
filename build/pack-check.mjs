import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasProgram, root } from './setup.mjs'

/** electron-builder's own reading and checking of a configuration; its command line offers neither without building. */
const { getConfig, validateConfiguration } = createRequire(import.meta.url)(
  join(root, 'node_modules/app-builder-lib/out/util/config/config.js'),
)

/**
 * Reads electron-builder.yml with what is said besides it. Throws, in electron-builder's words, where its schema is broken.
 * @param {import('electron-builder').Configuration} [besides]
 * @returns {Promise<import('electron-builder').Configuration>}
 */
export async function checkedConfig(besides = {}) {
  const config = await getConfig(root, join(root, 'electron-builder.yml'), besides)
  await validateConfiguration(config, { isEnabled: false })
  return config
}

/** As much of electron-builder's installer as our part of it leans on, so that a compiler reads every line. What it makes is thrown away. */
const installerAround = (/** @type {string} */ out) => `
Unicode true
!include "MUI2.nsh"
!include "LogicLib.nsh"
!define PRODUCT_NAME "轻图"
!define APP_PACKAGE_NAME "qingtu"
!define isUpdated '"$isUpdate" == "1"'
Name "轻图"
OutFile "${out}"
RequestExecutionLevel user
Var appExe
Var isUpdate
Var isForceCurrentInstall
!include "${join(root, 'build/installer.nsh')}"
!define MUI_HEADERIMAGE
!define MUI_HEADERIMAGE_BITMAP "${join(root, 'build/installerHeader.bmp')}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${join(root, 'build/installerSidebar.bmp')}"
!define MUI_ICON "${join(root, 'build/icon.ico')}"
!define MUI_UNICON "${join(root, 'build/icon.ico')}"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "SimpChinese"
Section "install"
  StrCpy $appExe "$INSTDIR\\qingtu.exe"
  !insertmacro customInstallMode
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Section "un.Uninstall"
  StrCpy $isUpdate "0"
  !insertmacro customUnInstall
SectionEnd
`

/** Compiles our part of the installer's script by makensis; what it complains of, undefined where there is nothing or no makensis. */
export function installerComplaints() {
  if (!hasProgram('makensis')) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-installer-'))
  try {
    const script = join(folder, 'check.nsi')
    writeFileSync(script, installerAround(join(folder, 'installer.exe')))
    const command = process.platform === 'win32' ? ['/INPUTCHARSET', 'UTF8', '/WX', script] : ['-INPUTCHARSET', 'UTF8', '-WX', script]
    const { status, stdout, stderr } = spawnSync('makensis', command, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    return status === 0 ? undefined : `${stdout}${stderr}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { appId, productName } = await checkedConfig()
  const complaints = installerComplaints()
  console.log(complaints ?? `${productName}（${appId}）：electron-builder.yml 符合 electron-builder 的规定。`)
  if (!hasProgram('makensis')) console.log('没有 makensis（Debian 软件包 nsis），没有检查安装程序的脚本。')
  process.exitCode = complaints === undefined ? 0 : 1
}
