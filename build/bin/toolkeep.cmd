@echo off
rem The command line of the installed app. It runs on the app's own binary, without a window.
setlocal
set ELECTRON_RUN_AS_NODE=1
rem No parentheses: one in an argument would end the block.
if "%~1"=="connect" goto connect
"%~dp0..\..\Toolkeep.exe" "%~dp0..\app.asar\dist\cli.js" %*
exit /b %errorlevel%
:connect
"%~dp0..\..\Toolkeep.exe" "%~dp0..\bridge.cjs" %*
exit /b %errorlevel%
