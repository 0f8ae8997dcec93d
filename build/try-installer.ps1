# Installs the packed client for this user, sees that it starts and that Explorer knows it, and uninstalls it. For a machine that is thrown away.
$ErrorActionPreference = 'Stop'
$installer = Get-ChildItem dist/packed/qingtu-*-x64.exe | Select-Object -First 1
$folder = Join-Path $env:LOCALAPPDATA 'Programs\qingtu'
$link = Join-Path $env:APPDATA 'Microsoft\Windows\SendTo\轻图.lnk'
$menu = 'HKCU:\Software\Classes\SystemFileAssociations\image\shell\Qingtu'

Start-Process $installer.FullName -ArgumentList '/S', '/currentuser' -Wait
$program = Join-Path $folder 'qingtu.exe'
if (-not (Test-Path $program)) { throw "not installed: $program" }
if (-not (Test-Path $link)) { throw 'no entry in Send to' }
if (-not (Test-Path $menu)) { throw 'no entry in the context menu' }

$client = Start-Process $program -PassThru
Start-Sleep -Seconds 20
if ($client.HasExited) { throw "ended by itself: $($client.ExitCode)" }
Stop-Process -Id $client.Id -Force

$uninstaller = Get-ChildItem $folder -Filter 'Uninstall*.exe' | Select-Object -First 1
Start-Process $uninstaller.FullName -ArgumentList '/S', '/currentuser' -Wait
Start-Sleep -Seconds 10
if (Test-Path $link) { throw 'Send to still has an entry' }
if (Test-Path $menu) { throw 'the context menu still has an entry' }
Write-Host 'installed, started, uninstalled'
