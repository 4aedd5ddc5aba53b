/** Lists the checks that a smoke run cannot make. For a release, someone must make each of them by hand. */

const { platform } = process;
const [isMac, isWindows, isLinux] = [platform === 'darwin', platform === 'win32', platform === 'linux'];
const aUser = 'a user at a desktop';

/** `isPackaged`: the run checks a packaged app; otherwise a checkout. */
export function skipTheRest(report, { isPackaged, isSigned, usesKeyring, rests }) {
  const packageRun = 'a packaged app (--app PATH)';
  const checkoutRun = 'a checkout (without --app)';
  const skips = [
    [isPackaged, 'The window is painted, and its page calls Core', checkoutRun],
    [isPackaged, 'A question does not delay calls of other clients, and is withdrawn with its call', checkoutRun],
    [isPackaged, 'A hidden prompt is shown within 150 ms, without an old frame', checkoutRun],
    [isPackaged, 'A window whose page crashed is replaced', checkoutRun],
    [isPackaged, 'The app quits within ten seconds although a server hangs', checkoutRun],
    [!isPackaged, 'A client starts the installed app, even if it was never opened', packageRun],
    [!isPackaged, 'Two clients and the user start the app at the same time', packageRun],
    [!isPackaged, 'Fuses and signature of the binary, and its refusal of a changed archive', packageRun],
    [isPackaged && isLinux, 'A changed archive is refused', 'macOS or Windows'],
    [
      isPackaged && !isSigned && !isLinux,
      'The signature has its publisher, and is notarized',
      'a signed app (--signed)',
    ],
    [isPackaged && !usesKeyring, 'Secrets are sealed with the keyring', 'an unlocked keyring (--keyring)'],
    [true, 'A locked keyring is reported, and nothing is lost', aUser],
    [!rests, 'Memory and processor time at rest', 'a packaged app and ten minutes (--app PATH --rest)'],
    [true, 'The icon is visible in the tray or the menu bar, and its menu works', aUser],
    [true, 'The prompt appears over a full-screen app and on the screen with the pointer; pasting works in it', aUser],
    [true, 'The focus returns after a question, even 60 s after a question whose call was cancelled', aUser],
    [true, 'The login item starts the app at login, without its window', 'a user who logs out and in'],
    [true, 'The app shuts down in order when the user logs out, and starts again', 'a user who logs out and in'],
    [true, 'The computer sleeps and wakes up, with an open question', aUser],
    [true, 'A crash of the GPU process and of a server leaves the app running', aUser],
    [true, 'An update from the feed is installed, and clients stay connected', 'two published versions'],
    [true, 'The files that remain after the package is removed', 'a user who removes it'],
    [
      isMac,
      'The Dock does not blink when the window returns from another Space, and its icon goes with the window',
      aUser,
    ],
    [isMac, 'The first start asks for no permission to notify', 'a new user account'],
    [isMac, 'A server that scripts other apps is asked for access in the name of Toolkeep', aUser],
    [isMac, 'An app that was opened from a disk image or Downloads connects no client and offers to move', aUser],
    [
      isWindows,
      'An app that a client from the Store started is not in its job, and its first window is visible',
      aUser,
    ],
    [isWindows, 'After a question, the keys go to the window in front of which it appeared', aUser],
    [isWindows, 'The command line reads answers from the console', aUser],
    [isLinux, `A session of ${process.env.XDG_SESSION_TYPE === 'wayland' ? 'X11' : 'Wayland'}`, 'another session'],
    [isLinux, 'The tray has the icon although the desktop starts its tray after the app', 'a user who logs out and in'],
    [isLinux, 'A browser from a snap opens the page (serve --open)', 'Ubuntu with its own Firefox'],
    [isLinux, 'The rpm package installs beside another Electron app', 'Fedora'],
    [true, 'On a small second screen, the whole prompt is visible', 'two screens'],
    [isLinux, 'AppImage and deb start where user namespaces are restricted', 'Ubuntu 24.04 with its defaults'],
    ...[
      [isMac, 'macOS'],
      [isWindows, 'Windows'],
      [isLinux, 'Linux'],
    ].flatMap(([isThis, name]) => (isThis ? [] : [[true, `Everything on ${name}`, name]])),
  ];
  for (const [isSkipped, name, needs] of skips) if (isSkipped) report.skip(name, needs);
}
