/** Parts of a screen within which the focus stays if its control disappears, from the inside out. */
const groups = 'tr, li, fieldset, form, section, [role="group"]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** The last focus: the control, and its place among the controls of each group around it. */
type Place = { control: HTMLElement; within: { group: Element; index: number }[] };

/**
 * Keeps the focus in place below `root`. Browsers give it to the body if the focused control disappears or is disabled,
 * and the keyboard then starts at the top of the page. Here it goes to the control that takes the place of one that
 * disappears, else to the heading, and returns to a disabled control once that is enabled. Returns the function that
 * ends this.
 */
export function keepFocus(root: HTMLElement): () => void {
  let place: Place | null = null;
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) place = placeOf(target);
  };
  const onFocusOut = () => {
    // React changes the document before this runs, so a control that is still there was left on purpose.
    queueMicrotask(() => {
      if (place !== null && isUnfocused() && isUsable(place.control)) place = null;
    });
  };
  let waitsFor: HTMLElement | null = null;
  const settle = () => {
    if (place === null || !isUnfocused()) return;
    const { control } = place;
    if (control.isConnected) {
      if (isUsable(control) && waitsFor === control) control.focus({ preventScroll: true });
      waitsFor = isUsable(control) ? null : control;
      return;
    }
    const next = nextOf(place) ?? document.querySelector('h1');
    place = null;
    next?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(settle);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  root.addEventListener('focusin', onFocusIn);
  root.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', onFocusIn);
    root.removeEventListener('focusout', onFocusOut);
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
  return { control, within };
}

/** The control that is now at the place, or the last one before it. */
function nextOf({ within }: Place): HTMLElement | undefined {
  for (const { group, index } of within) {
    const left = group.isConnected ? controlsIn(group) : [];
    const next = left[Math.min(Math.max(index, 0), left.length - 1)];
    if (next !== undefined) return next;
  }
  return undefined;
}
