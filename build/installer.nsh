; What the installer of the client does beyond electron-builder's own script. All of it belongs to one user: no administrator is asked for.

!define MENU_TEXT "用轻图处理"
!define MENU_KEY "Qingtu"

; Where Explorer looks for entries of a kind of files: perceived kinds, endings Windows takes for no picture unless a decoder is installed, folders.
!macro forEachKind DO
  !insertmacro ${DO} "SystemFileAssociations\image"
  !insertmacro ${DO} "SystemFileAssociations\.heic"
  !insertmacro ${DO} "SystemFileAssociations\.heif"
  !insertmacro ${DO} "SystemFileAssociations\.avif"
  !insertmacro ${DO} "SystemFileAssociations\.webp"
  !insertmacro ${DO} "SystemFileAssociations\.pdf"
  !insertmacro ${DO} "Directory"
!macroend

; Explorer starts the program once for each chosen file; the one that runs gathers them.
!macro addToMenu KIND
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\${MENU_KEY}" "" "${MENU_TEXT}"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\${MENU_KEY}" "Icon" "$appExe"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\${MENU_KEY}" "MultiSelectModel" "Player"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\${MENU_KEY}\command" "" '"$appExe" "%1"'
!macroend

!macro removeFromMenu KIND
  DeleteRegKey HKCU "Software\Classes\${KIND}\shell\${MENU_KEY}"
!macroend

; The page that asks for whom to install is left out: for this user.
!macro customInstallMode
  StrCpy $isForceCurrentInstall "1"
!macroend

!macro customInstall
  CreateShortCut "$SENDTO\${PRODUCT_NAME}.lnk" "$appExe"
  !insertmacro forEachKind addToMenu
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)'
!macroend

!macro customUnInstall
  Delete "$SENDTO\${PRODUCT_NAME}.lnk"
  !insertmacro forEachKind removeFromMenu
  ; An update takes the old version away first, and nobody is there to be asked when it runs silently: then settings stay.
  ${ifNot} ${isUpdated}
  ${andIfNot} ${Silent}
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "是否同时删除轻图在这台电脑上的设置、登录状态和未完成的任务？$\r$\n$\r$\n处理好的图片和文件不会删除。" IDNO keepSettings
    RMDir /r "$APPDATA\${APP_PACKAGE_NAME}"
    RMDir /r "$LOCALAPPDATA\${APP_PACKAGE_NAME}"
    keepSettings:
  ${endIf}
!macroend
