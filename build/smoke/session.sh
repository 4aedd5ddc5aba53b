#!/bin/sh
# Runs the smoke checks in a Linux session with a tray host and, if one is named, a window manager.
# Usage: dbus-run-session -- build/smoke/session.sh [WINDOW_MANAGER]
tray=org.kde.StatusNotifierWatcher
python3 -m dbusmock --session "$tray" /StatusNotifierWatcher "$tray" &
host=$!
if [ -n "$1" ]; then "$1" & fi
until dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus /org/freedesktop/DBus \
  org.freedesktop.DBus.NameHasOwner "string:$tray" | grep -q true; do
  kill -0 "$host" || exit 1
  sleep 0.2
done
npm run smoke
