; The uninstaller asks whether to remove Gatehouse from the config files of clients, which would fail to start it.

!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; A one-click uninstaller always runs this section silently. With /S, nobody can be asked.
    ClearErrors
    ${GetParameters} $R0
    ${GetOptions} $R0 "/S" $R1
    ${if} ${Errors}
      ${if} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION "Also remove Gatehouse from the MCP clients that use it, such as Claude Desktop?$\r$\n$\r$\nServers that were moved to Gatehouse return to their clients. Without this, these clients report an error at each start." IDYES`
        nsExec::ExecToLog /TIMEOUT=60000 `"$SYSDIR\cmd.exe" /D /C ""$INSTDIR\resources\bin\gatehouse.cmd" uninstall --all --yes"`
        Pop $R0
        ${if} $R0 != 0
          MessageBox MB_OK|MB_ICONEXCLAMATION "Gatehouse could not be removed from every client. Remove the entry $\"gatehouse$\" from the remaining config files."
        ${endif}
      ${endif}
    ${endif}
  ${endif}
!macroend
