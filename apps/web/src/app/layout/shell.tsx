import { useMediaQuery } from '@mantine/hooks';
import { IconLogout, IconSearch } from '@tabler/icons-react';
import { use, useMemo, useState } from 'react';
import { NavLink, Outlet, ScrollRestoration, useNavigate, useNavigation } from 'react-router';
import { useAuthStatus, useLogout } from '../../features/access/index.ts';
import { RunningCount } from '../../features/import/index.ts';
import { UploadProvider } from '../../features/upload/index.ts';
import { queuePath } from '../../lib/paths.ts';
import { scannedListKeys } from '../../lib/sign-out-storage.ts';
import { Mark } from '../../ui/brand.tsx';
import { ActionIcon } from '../../ui/button.tsx';
import { ColorSchemeSwitch } from '../../ui/color-scheme-switch.tsx';
import { Bell } from '../../ui/feedback/bell.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { ServerLostContext } from '../../ui/feedback/server-lost.ts';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { FrameContext } from '../../ui/frame.ts';
import { OpenPaletteContext } from '../palette/open-palette.ts';
import { PushEndsNotice } from '../push-ends-notice.tsx';
import { ConnectionState } from './connection-state.tsx';
import { navigation } from './navigation.ts';
import { useServerContact } from './server-contact.ts';
import classes from './shell.module.css';
import { PaletteProvider, Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { useFrameFocus } from './use-frame-focus.ts';
import { useScrolledDown } from './use-scrolled-down.ts';

/** The route's component: the shell, and the upload that continues while the operator opens other screens. */
export function Component() {
  return (
    <UploadProvider>
      <PaletteProvider>
        <Shell />
      </PaletteProvider>
    </UploadProvider>
  );
}

/**
 * The shell of every screen: a sidebar from 768 px up, a bottom bar below that, and the top bar. On phones the top bar
 * makes room while the screen is scrolled down, unless it has to say that the server is gone.
 */
function Shell() {
  const wide = useMediaQuery('(min-width: 768px)', undefined, { getInitialValueInEffect: false });
  const roomy = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false });
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const loading = useNavigation().state === 'loading';
  const contact = useServerContact();
  const isAway = useScrolledDown(!wide) && contact.lostSinceMs === null;
  const onTitle = useFrameFocus();
  const frame = useMemo(() => ({ bar, roomy, onTitle }), [bar, roomy, onTitle]);
  const { signOut, isSigningOut, question } = useSignOut();
  return (
    <div className={wide ? classes.wide : classes.narrow}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {wide && <Sidebar onSignOut={signOut} signingOut={isSigningOut} lost={contact.lostSinceMs !== null} />}
      <header className={classes.header} data-away={isAway || undefined}>
        {!wide && <Mark />}
        <div ref={setBar} className={classes.bar} />
        <div className={classes.fixed}>
          <ConnectionState {...contact} />
          <PaletteButton />
          <Bell />
          <ColorSchemeSwitch />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main} aria-busy={loading}>
        <ServerLostContext value={contact.lostSinceMs !== null}>
          <FrameContext value={frame}>
            <Outlet />
          </FrameContext>
        </ServerLostContext>
      </main>
      {!wide && <BottomBar onSignOut={signOut} />}
      {question}
      <PushEndsNotice />
      <Shortcuts />
      <ScrollRestoration />
    </div>
  );
}

/** Opens the palette, also where there is no keyboard. */
function PaletteButton() {
  const open = use(OpenPaletteContext);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Search"
      aria-keyshortcuts="Control+K Meta+K"
      title="Search (Ctrl K)"
      className={classes.search}
      onClick={open}
    >
      <IconSearch size={16} stroke={1.5} aria-hidden />
    </ActionIcon>
  );
}

/** Signs out, after a question where that removes scanned codes that are not saved. */
function useSignOut() {
  const navigate = useNavigate();
  const logout = useLogout();
  const failure = useFailureToast();
  const [isAsking, setAsking] = useState(false);
  const requiresAuth = useAuthStatus().data?.requiresAuth === true;
  const start = () =>
    logout.mutate(undefined, {
      onSuccess: () => {
        failure.dismiss();
        navigate('/login');
      },
      onError: (error) => failure.show('Couldn’t sign out', error.message),
    });
  const signOut = () => (requiresAuth && scannedListKeys().length > 0 ? setAsking(true) : start());
  const question = (
    <Confirm
      opened={isAsking}
      title="Sign out and remove the scanned codes?"
      confirm="Sign Out"
      keep="Stay Signed In"
      onConfirm={start}
      onClose={() => setAsking(false)}
    >
      The codes of Scan Many are not saved yet. Signing out removes them from this browser. To keep them, save
      them first.
    </Confirm>
  );
  return { signOut, isSigningOut: logout.isPending, question };
}

function BottomBar({ onSignOut }: { onSignOut: () => void }) {
  return (
    <nav aria-label="Main" className={classes.bottomBar}>
      {navigation
        .filter((item) => item.shortLabel !== null)
        .map((item) => (
          <NavLink key={item.path} to={item.path} end={item.path === '/'} className={classes.bottomLink}>
            <item.icon size={20} stroke={1.75} aria-hidden />
            <span>
              {item.shortLabel}
              {item.path === queuePath && <RunningCount />}
            </span>
          </NavLink>
        ))}
      <button type="button" className={classes.bottomLink} onClick={onSignOut}>
        <IconLogout size={20} stroke={1.75} aria-hidden />
        Logout
      </button>
    </nav>
  );
}
