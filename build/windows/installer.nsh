; Additions to electron-builder's installer and uninstaller for Windows.

; electron-builder includes this file only for its own check for the running app.
!include "getProcessInfo.nsh"
Var pid

!macro readDataFolder RESULT
  ReadEnvStr ${RESULT} "TOOLKEEP_HOME"
  ${if} ${RESULT} == ""
    StrCpy ${RESULT} "$PROFILE\.toolkeep"
  ${endif}
!macroend

; Bridges keep running, because their program is outside of $INSTDIR. They wait for this process to end,
; because it holds the lock under which they start the app.
!macro holdBridges
  !insertmacro readDataFolder $R0
  ${if} ${FileExists} "$R0\run\*.*"
    System::Call 'kernel32::GetCurrentProcessId() i .R1'
    FileOpen $R2 "$R0\run\start.lock" w
    FileWrite $R2 $R1
    FileClose $R2
  ${endif}
!macroend

; Lets the app quit in order. Then electron-builder's own check asks the user about the remaining processes, and ends them.
!macro customCheckAppRunning
  !ifdef BUILD_UNINSTALLER
    ; In an update, the lock belongs to the installer, which outlives the uninstaller of the old version.
    ${ifNot} ${isUpdated}
      !insertmacro holdBridges
    ${endif}
  !else
    !insertmacro holdBridges
  !endif
  !insertmacro IS_POWERSHELL_AVAILABLE
  ${if} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
    ${if} $R0 == 0
      nsExec::Exec /TIMEOUT=10000 `"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --quit`
      Pop $R0
      ; The app ends after eight seconds at the latest.
      ${for} $R1 1 10
        !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
        ${if} $R0 != 0
          ${break}
        ${endif}
        Sleep 1000
      ${next}
    ${endif}
  ${endif}
  !insertmacro _CHECK_APP_RUNNING
!macroend

!macro customInstall
  ; Bridges start the app through this shortcut, so that it runs outside the client's process tree.
  CreateShortCut "$INSTDIR\start.lnk" "$appExe" "--hidden"
  ; Offers the app for MCP bundles, but leaves the program that opens them by default.
  WriteRegStr HKCU "Software\Classes\Toolkeep.mcpb" "" "MCP bundle"
  WriteRegStr HKCU "Software\Classes\Toolkeep.mcpb\DefaultIcon" "" "$appExe,0"
  WriteRegStr HKCU "Software\Classes\Toolkeep.mcpb\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr HKCU "Software\Classes\.mcpb\OpenWithProgids" "Toolkeep.mcpb" ""
  WriteRegStr HKCU "Software\Classes\.dxt\OpenWithProgids" "Toolkeep.mcpb" ""
!macroend

; What the installer and the app have written: bundles, links, the start at login, and the receiver of clicked notifications.
!macro removeFromRegistry
  DeleteRegKey HKCU "Software\Classes\Toolkeep.mcpb"
  DeleteRegValue HKCU "Software\Classes\.mcpb\OpenWithProgids" "Toolkeep.mcpb"
  DeleteRegValue HKCU "Software\Classes\.dxt\OpenWithProgids" "Toolkeep.mcpb"
  DeleteRegKey HKCU "Software\Classes\toolkeep"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  DeleteRegKey HKCU "Software\Classes\CLSID\{7B0D3C0E-2A64-4C7B-9E5F-5D1C8A4F6E21}"
!macroend

; The uninstaller asks whether to remove Toolkeep from the config files of clients, which would otherwise fail to start it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro removeFromRegistry
    ; A one-click uninstaller always runs this section silently. With /S, no user can be asked.
    ClearErrors
    ${GetParameters} $R0
    ${GetOptions} $R0 "/S" $R1
    ${if} ${Errors}
      ${if} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION "Also remove Toolkeep from the MCP clients that use it, such as Claude Desktop?$\r$\n$\r$\nServers that were moved to Toolkeep return to their clients. Otherwise, these clients report an error at each start." IDYES`
        nsExec::ExecToLog /TIMEOUT=60000 `"$SYSDIR\cmd.exe" /D /C ""$INSTDIR\resources\bin\toolkeep.cmd" uninstall --all --yes"`
        Pop $R0
        ${if} $R0 != 0
          MessageBox MB_OK|MB_ICONEXCLAMATION "Toolkeep could not be removed from every client. Remove the entry $\"toolkeep$\" from the remaining config files."
        ${endif}
      ${endif}
    ${endif}
    ; Windows does not delete programs that are still running.
    !insertmacro readDataFolder $R0
    Delete "$R0\bin\toolkeep-bridge*.exe"
  ${endif}
!macroend
