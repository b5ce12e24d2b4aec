import { IconCircleFilled, IconLogout, IconMenu2, IconPlugConnectedX, IconSearch } from '@tabler/icons-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  NavLink,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
} from 'react-router';
import { useAuthStatus, useLogout } from '../../features/access/index.ts';
import { RunEndsNotice, RunningCount } from '../../features/import/index.ts';
import { UploadProvider } from '../../features/upload/index.ts';
import { formatClock } from '../../lib/intl.ts';
import { useIsOtherBuild } from '../../lib/own-build.ts';
import { queuePath } from '../../lib/paths.ts';
import { createStore, listScannedListKeys } from '../../lib/storage.ts';
import { IconButton, PlainButton } from '../../ui/basics.tsx';
import { ColorSchemeSwitch } from '../../ui/brand.tsx';
import { NotificationBell } from '../../ui/feedback/bell.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useListener, useMedia } from '../../ui/hooks.ts';
import {
  findActionOfKey,
  isOverlayOpen,
  isPlainKey,
  isTypingTarget,
  offeredActions,
  searchFieldSelector,
} from '../../ui/keys.ts';
import { ActionMenu } from '../../ui/menu.tsx';
import { ServerLostContext, TopBarContext } from '../../ui/page-header.tsx';
import { Palette } from '../palette/palette.tsx';
import { isPaletteShortcut, KeyList, navigation, readShortcut, type ShortcutState } from './key-list.tsx';
import { type ServerContact, useServerContact } from './server-contact.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** The uploader is outside of the screens, so that an upload continues while the operator opens other screens. */
export const Component = () => (
  <UploadProvider>
    <Shell />
    <AnyPalette />
  </UploadProvider>
);

/** The frame of screens: a sidebar from 768 px up, a bottom bar below. On phones, scrolling down hides the top bar. */
function Shell() {
  const wide = useMedia('(min-width: 768px)');
  const roomy = useMedia('(min-width: 1200px)');
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const loading = useNavigation().state === 'loading';
  const contact = useServerContact();
  const isAway = useScrolledDown(!wide) && contact.lostSinceMs === null;
  const onTitle = useFrameFocus();
  const frame = useMemo(() => ({ bar, roomy, onTitle }), [bar, roomy, onTitle]);
  const { signOut, isSigningOut, question } = useSignOut();
  return (
    <div className={wide ? classes.wide : classes.narrow}>
      <a className={`${classes.skip} pad-bar rounded`} href="#main">
        Skip to content
      </a>
      {wide && <Sidebar onSignOut={signOut} signingOut={isSigningOut} lost={contact.lostSinceMs !== null} />}
      <header className={`${classes.header} flex gap-x-lg line-below`} data-away={isAway || undefined}>
        {!wide && <ScreensMenu />}
        <div ref={setBar} className={`${classes.bar} row-wrap gap-x-md`} />
        <div className={`${classes.fixed} row rigid`}>
          <ConnectionState {...contact} />
          <PaletteButton />
          <NotificationBell />
          <ColorSchemeSwitch />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main} aria-busy={loading}>
        <ServerLostContext value={contact.lostSinceMs !== null}>
          <TopBarContext value={frame}>
            <Outlet />
          </TopBarContext>
        </ServerLostContext>
      </main>
      {!wide && (
        <nav aria-label="Main" className={`${classes.bottomBar} flex line-above`}>
          {navigation
            .filter((item) => item.shortLabel !== null)
            .map((item) => (
              <NavLink
                key={item.path}
                to={item.path}
                end={item.path === '/'}
                className={`${classes.bottomLink} flex middle center dim`}
              >
                <item.icon size={20} stroke={1.75} aria-hidden />
                <span>
                  {item.shortLabel}
                  {item.path === queuePath && <RunningCount />}
                </span>
              </NavLink>
            ))}
          <button type="button" className={`${classes.bottomLink} flex middle center dim`} onClick={signOut}>
            <IconLogout size={20} stroke={1.75} aria-hidden />
            Logout
          </button>
        </nav>
      )}
      {question}
      <RunEndsNotice />
      <Shortcuts />
      <ScrollRestoration />
    </div>
  );
}

/** A menu of all screens, for phones, whose bottom bar has only some of them. */
function ScreensMenu() {
  const navigate = useNavigate();
  const items = navigation.map(({ label, path }) => ({ label, reason: null, act: () => navigate(path) }));
  return (
    <ActionMenu name="All screens" items={items}>
      <IconButton icon={IconMenu2} iconSize={20} iconStroke={1.75} size="lg" ml={-10} label="All screens" />
    </ActionMenu>
  );
}

/** Opens the palette without a keyboard. */
const PaletteButton = () => (
  <IconButton
    icon={IconSearch}
    iconStroke={1.5}
    size="lg"
    label="Search"
    aria-keyshortcuts="Control+K Meta+K"
    title="Search (Ctrl K)"
    className={classes.search}
    onClick={() => isPaletteOpened.set(true)}
  />
);

/** Signs out. Asks first if unsaved scanned codes would be removed. */
function useSignOut() {
  const navigate = useNavigate();
  const logout = useLogout('logout', 'Couldn’t sign out');
  const [isAsking, setAsking] = useState(false);
  const requiresAuth = useAuthStatus().data?.requiresAuth === true;
  const start = () => logout.mutate({}, { onSuccess: () => navigate('/login') });
  const signOut = () => (requiresAuth && listScannedListKeys().length > 0 ? setAsking(true) : start());
  const question = (
    <ConfirmDialog
      opened={isAsking}
      title="Sign out and remove the scanned codes?"
      confirm="Sign Out"
      keep="Stay Signed In"
      onConfirm={start}
      onClose={() => setAsking(false)}
    >
      The codes of Scan Many are not saved yet. Signing out removes them from this browser. To keep them, save
      them first.
    </ConfirmDialog>
  );
  return { signOut, isSigningOut: logout.isPending, question };
}

/**
 * Focuses the title of each screen that is opened after the first, for keyboard users and screen readers. If the title
 * is drawn late, the main area has the focus until the returned callback is called with the title.
 */
function useFrameFocus(): (title: HTMLElement) => void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef(type === 'POP' ? pathname : null);
  const waits = useRef(false);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const heading = document.querySelector('h1');
    waits.current = heading === null;
    (heading ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }, [pathname]);
  useEffect(keepFocus, []);
  return useCallback((title) => {
    // The title gets the focus only if the operator has not moved the focus meanwhile.
    if (waits.current && document.activeElement?.id === 'main') title.focus({ preventScroll: true });
    waits.current = false;
  }, []);
}

/** Minimum scroll distance, in pixels, that hides or shows the bar. */
const stepMin = 12;
/** Distance from the top of the page, in pixels, within which the bar stays visible. */
const topMax = 96;

function useScrolledDown(enabled: boolean): boolean {
  const [isDown, setDown] = useState(false);
  const last = useRef(window.scrollY);
  const onScroll = () => {
    // Limits the position, because some browsers scroll beyond both ends of a page and back.
    const end = document.documentElement.scrollHeight - window.innerHeight;
    const place = Math.min(Math.max(window.scrollY, 0), Math.max(end, 0));
    if (place > topMax && Math.abs(place - last.current) < stepMin) return;
    setDown(place > last.current && place > topMax);
    last.current = place;
  };
  useListener('window', 'scroll', onScroll, { isOn: enabled });
  if (!enabled && isDown) setDown(false);
  return isDown;
}

/** The connection's state. On phones it appears only if the operator can do something about it. */
function ConnectionState({ lostSinceMs }: ServerContact) {
  const isOlder = useIsOtherBuild();
  const isLost = lostSinceMs !== null;
  return (
    <div
      role="status"
      className={`${classes.state} inline-flex gap-6 center size-sm nowrap relative`}
      data-lost={isLost || undefined}
      data-older={isOlder || undefined}
    >
      {isLost && (
        <>
          <IconPlugConnectedX size={16} stroke={1.75} aria-hidden />
          <span>
            No connection<span className={classes.since}>{` since ${formatClock(lostSinceMs)}`}</span>
          </span>
        </>
      )}
      {!isLost && isOlder && (
        <PlainButton size="xs" onClick={() => location.reload()}>
          <span>
            Reload<span className={classes.since}>{' for the new version'}</span>
          </span>
        </PlainButton>
      )}
      {!isLost && !isOlder && (
        <>
          <IconCircleFilled size={9} aria-hidden /> System Active
        </>
      )}
    </div>
  );
}

const isPaletteOpened = createStore(false);
const closePalette = () => isPaletteOpened.set(false);

function AnyPalette() {
  useListener('document', 'keydown', (event) => {
    if (!isPaletteShortcut(event)) return;
    // Opens the palette instead of the browser's own search.
    event.preventDefault();
    if (!isOverlayOpen()) isPaletteOpened.set(true);
  });
  // Closes the palette when the session ends, so that the next session starts without it.
  useEffect(() => closePalette, []);
  return <Palette opened={isPaletteOpened.use()} screens={navigation} onClose={closePalette} />;
}

function Shortcuts() {
  const navigate = useNavigate();
  const [listed, setListed] = useState(false);
  const state = useRef<ShortcutState>({ goSinceMs: null });
  useActionKeys();
  useListener('document', 'keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTypingTarget(event.target))
      return;
    const { state: next, command } = readShortcut(state.current, event.key, event.timeStamp);
    state.current = next;
    if (command === null) return;
    event.preventDefault();
    if (command.kind === 'go') navigate(command.path);
    if (command.kind === 'list') setListed(true);
    if (command.kind === 'search') document.querySelector<HTMLElement>(searchFieldSelector)?.focus();
  });
  return <KeyList opened={listed} onClose={() => setListed(false)} />;
}

function useActionKeys(): void {
  const failure = useFailureToast();
  useListener('document', 'keydown', (event) => {
    if (event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    const action = findActionOfKey(offeredActions.all(), event);
    if (action === undefined) return;
    event.preventDefault();
    if (action.reason === null) action.act();
    else failure.show(action.label, action.reason);
  });
}

/** Selects groups of controls. If a focused control disappears, the focus stays in its nearest group with controls. */
const groups = 'tr, li, fieldset, form, section, [role="group"]';
const screens = '#root';
const dialogs = '[role="dialog"], [role="alertdialog"]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

type Place = {
  control: HTMLElement;
  within: { group: Element; index: number }[];
  /** Selector of the element to focus once the control has disappeared, from an ancestor's `data-focus-next`. */
  next: string | undefined;
  /** The dialog around the control. A dialog returns the focus itself when it closes. */
  dialog: Element | null;
};

/**
 * Keeps the focus in the document if the focused control disappears or is disabled. A browser would move the focus to
 * the body, so that the keyboard would start at the top of the page. The focus goes to the control at the same
 * position, else to the heading, and returns to a disabled control once it is enabled. An element around the control
 * may name another target, by a selector in `data-focus-next`.
 */
function keepFocus(): () => void {
  const { body } = document;
  // The last focused control of the screen, and of each open dialog.
  let places: Place[] = [];
  const without = (dialog: Element | null) => places.filter((place) => place.dialog !== dialog);
  const onFocusIn = ({ target }: FocusEvent) => {
    // Drop-down lists and menus are outside of the screen in the document, and return the focus themselves.
    if (!(target instanceof HTMLElement) || target.closest(`${screens}, ${dialogs}`) === null) return;
    const place = placeOf(target);
    places = place.dialog === null ? [place] : [...without(place.dialog), place];
  };
  const onFocusOut = ({ target }: FocusEvent) => {
    // Runs after React has changed the document. If the control still exists, the operator has moved the focus away.
    queueMicrotask(() => {
      const place = places.find(({ control }) => control === target);
      if (place !== undefined && isUnfocused() && isUsable(place.control)) places = without(place.dialog);
    });
  };
  let waitsFor: HTMLElement | null = null;
  const settle = () => {
    if (!isUnfocused()) return;
    places = places.filter(({ dialog }) => dialog === null || dialog.isConnected);
    const place = places.at(-1);
    if (place === undefined) return;
    const { control } = place;
    if (control.isConnected) {
      if (isUsable(control) && waitsFor === control) control.focus({ preventScroll: true });
      waitsFor = isUsable(control) ? null : control;
      return;
    }
    places = without(place.dialog);
    nextOf(place)?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(settle);
  observer.observe(body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  body.addEventListener('focusin', onFocusIn);
  body.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    body.removeEventListener('focusin', onFocusIn);
    body.removeEventListener('focusout', onFocusOut);
  };
}

const isUnfocused = () => document.activeElement === null || document.activeElement === document.body;
const isUsable = (control: HTMLElement) => control.isConnected && !control.matches(':disabled');

const controlsIn = (group: Element): HTMLElement[] =>
  Array.from(group.querySelectorAll<HTMLElement>(controls)).filter(isUsable);

function placeOf(control: HTMLElement): Place {
  const within: Place['within'] = [];
  let group = control.parentElement?.closest(groups) ?? null;
  while (group !== null) {
    within.push({ group, index: controlsIn(group).indexOf(control) });
    group = group.parentElement?.closest(groups) ?? null;
  }
  const next = control.closest<HTMLElement>('[data-focus-next]')?.dataset.focusNext;
  return { control, within, next, dialog: control.closest(dialogs) };
}

function nextOf({ within, next, dialog }: Place): HTMLElement | null {
  const named = next === undefined ? null : document.querySelector<HTMLElement>(next);
  if (named !== null) return named;
  for (const { group, index } of within) {
    const left = group.isConnected ? controlsIn(group) : [];
    const next = left[Math.min(Math.max(index, 0), left.length - 1)];
    if (next !== undefined) return next;
  }
  const heading = (dialog ?? document).querySelector<HTMLElement>(dialog === null ? 'h1' : 'h2');
  // Makes the title of a dialog focusable.
  if (dialog !== null && heading !== null) heading.tabIndex = -1;
  return heading;
}
