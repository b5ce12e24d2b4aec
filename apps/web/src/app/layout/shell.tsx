import { Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCircleFilled, IconLogout } from '@tabler/icons-react';
import { NavLink, Outlet, ScrollRestoration, useNavigate, useNavigation } from 'react-router';
import { useLogout } from '../../api/auth.ts';
import { Brand } from '../../components/brand.tsx';
import { useFailureToast } from '../../components/feedback/toast.tsx';
import { UploadProvider } from '../../pages/upload/upload-run.tsx';
import { ColorSchemeSwitch } from '../../components/color-scheme-switch.tsx';
import { navigation } from './navigation.ts';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';

/** The route's component: the shell, and the upload that continues while the operator opens other screens. */
export function Component() {
  return (
    <UploadProvider>
      <Shell />
    </UploadProvider>
  );
}

/** The shell of every screen: a sidebar from 768 px up, a top header and a bottom bar below that. */
function Shell() {
  const wide = useMediaQuery('(min-width: 768px)', undefined, { getInitialValueInEffect: false });
  const navigate = useNavigate();
  const loading = useNavigation().state === 'loading';
  const logout = useLogout();
  const failure = useFailureToast();
  const signOut = () =>
    logout.mutate(undefined, {
      onSuccess: () => {
        failure.dismiss();
        navigate('/login');
      },
      onError: (error) => failure.show('Sign Out Failed', error.message),
    });
  return (
    <div className={wide ? classes.wide : classes.narrow}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {wide && <Sidebar onSignOut={signOut} signingOut={logout.isPending} />}
      <header className={classes.header}>
        {wide ? <span /> : <Brand />}
        <Group gap="sm" wrap="nowrap">
          {wide && (
            <span className={classes.active}>
              <IconCircleFilled size={9} aria-hidden /> System Active
            </span>
          )}
          <ColorSchemeSwitch />
        </Group>
      </header>
      <main id="main" tabIndex={-1} className={classes.main} aria-busy={loading}>
        <Outlet />
      </main>
      {!wide && <BottomBar onSignOut={signOut} />}
      <Shortcuts />
      <ScrollRestoration />
    </div>
  );
}

function BottomBar({ onSignOut }: { onSignOut: () => void }) {
  return (
    <nav aria-label="Main" className={classes.bottomBar}>
      {navigation
        .filter((item) => item.shortLabel !== null)
        .map((item) => (
          <NavLink key={item.path} to={item.path} end={item.path === '/'} className={classes.bottomLink}>
            <item.icon size={20} stroke={1.75} aria-hidden />
            {item.shortLabel}
          </NavLink>
        ))}
      <button type="button" className={classes.bottomLink} onClick={onSignOut}>
        <IconLogout size={20} stroke={1.75} aria-hidden />
        Logout
      </button>
    </nav>
  );
}
