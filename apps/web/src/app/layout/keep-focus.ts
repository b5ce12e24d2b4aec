/** Groups within which the focus stays if its control disappears, from the inside out. */
const groups = 'tr, li, fieldset, form, section, [role="group"]';
const screens = '#root';
const dialogs = '[role="dialog"], [role="alertdialog"]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

type Place = {
  control: HTMLElement;
  within: { group: Element; index: number }[];
  /** Selector of the element that gets the focus instead, from `data-focus-next` around the control. */
  next: string | undefined;
  /** The dialog around the control. It returns the focus itself when it closes. */
  dialog: Element | null;
};

/**
 * Keeps the focus in the document when the focused control disappears or is disabled. Browsers give it to the body
 * then, and the keyboard starts at the top of the page. Here it goes to the control that takes the place, else to the
 * heading, and returns to a disabled control once that is enabled. `data-focus-next` around the control overrides this
 * by a selector.
 */
export function keepFocus(): () => void {
  const { body } = document;
  // One place for the screen and one for each dialog over it.
  let places: Place[] = [];
  const without = (dialog: Element | null) => places.filter((place) => place.dialog !== dialog);
  const onFocusIn = ({ target }: FocusEvent) => {
    // Lists and menus are elsewhere in the document and return the focus themselves.
    if (!(target instanceof HTMLElement) || target.closest(`${screens}, ${dialogs}`) === null) return;
    const place = placeOf(target);
    places = place.dialog === null ? [place] : [...without(place.dialog), place];
  };
  const onFocusOut = ({ target }: FocusEvent) => {
    // React changes the document before this runs, so the operator left a control that is still there.
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
  // Titles of dialogs cannot have the focus otherwise.
  if (dialog !== null && heading !== null) heading.tabIndex = -1;
  return heading;
}
