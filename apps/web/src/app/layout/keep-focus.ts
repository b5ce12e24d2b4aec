/** Parts of a screen within which the focus stays if its control disappears, from the inside out. */
const groups = 'tr, li, fieldset, form, section, [role="group"]';
const screens = '#root';
const dialogs = '[role="dialog"], [role="alertdialog"]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** The last focus: the control, and its place among the controls of each group around it. */
type Place = {
  control: HTMLElement;
  within: { group: Element; index: number }[];
  /** A selector of what gets the focus instead: the attribute `data-focus-next` around the control. */
  next: string | undefined;
  /** The dialog that the control is in. It returns the focus itself when it closes. */
  dialog: Element | null;
};

/**
 * Keeps the focus in place in the document, in dialogs too. Browsers give it to the body if the focused control
 * disappears or is disabled, and the keyboard then starts at the top of the page. Here it goes to the control that
 * takes the place of one that disappears, else to the heading, and returns to a disabled control once that is enabled.
 * An element around the control says otherwise by `data-focus-next`, a selector. Returns the function that ends this.
 */
export function keepFocus(): () => void {
  const { body } = document;
  // Of the screen, and of the dialogs over it. The one below counts again when a dialog is gone.
  let places: Place[] = [];
  const without = (dialog: Element | null) => places.filter((place) => place.dialog !== dialog);
  const onFocusIn = ({ target }: FocusEvent) => {
    // Lists and menus are elsewhere in the document, and return the focus themselves.
    if (!(target instanceof HTMLElement) || target.closest(`${screens}, ${dialogs}`) === null) return;
    const place = placeOf(target);
    places = place.dialog === null ? [place] : [...without(place.dialog), place];
  };
  const onFocusOut = ({ target }: FocusEvent) => {
    // React changes the document before this runs, so a control that is still there was left on purpose.
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

function controlsIn(group: Element): HTMLElement[] {
  return Array.from(group.querySelectorAll<HTMLElement>(controls)).filter(isUsable);
}

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

/** The control that is now at the place, or the last one before it, else the heading. */
function nextOf({ within, next, dialog }: Place): HTMLElement | null {
  const named = next === undefined ? null : document.querySelector<HTMLElement>(next);
  if (named !== null) return named;
  for (const { group, index } of within) {
    const left = group.isConnected ? controlsIn(group) : [];
    const next = left[Math.min(Math.max(index, 0), left.length - 1)];
    if (next !== undefined) return next;
  }
  const heading = (dialog ?? document).querySelector<HTMLElement>(dialog === null ? 'h1' : 'h2');
  // The titles of dialogs cannot have the focus otherwise.
  if (dialog !== null && heading !== null) heading.tabIndex = -1;
  return heading;
}
