@echo off
rem The command line of the installed app: runs on the app's own binary, without a window.
setlocal
set ELECTRON_RUN_AS_NODE=1
if "%~1"=="connect" (
  "%~dp0..\..\Gatehouse.exe" "%~dp0..\bridge.cjs" %*
) else (
  "%~dp0..\..\Gatehouse.exe" "%~dp0..\app.asar\dist\cli.js" %*
)
