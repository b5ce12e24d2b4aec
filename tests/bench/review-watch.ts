/** What the page records: the last key, and the paint after which other rows were there. */
type Watch = { keyMs: number; drawnMs: Promise<number> };

/** Runs in the page: from now on, waits until another page of rows has been requested and drawn. */
export function watchDrawing(): void {
  performance.clearResourceTimings();
  const watch: Watch = { keyMs: 0, drawnMs: Promise.resolve(0) };
  watch.drawnMs = new Promise((resolve) => {
    let asked = false;
    const look = new MutationObserver(() => {
      if (document.querySelector('[aria-busy="true"] [data-row]')) asked = true;
      else if (asked && document.querySelector('[aria-busy="false"] [data-row]')) {
        look.disconnect();
        // The callback of the frame after the next one runs once this change has been painted.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
      }
    });
    look.observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  const onKey = () => {
    watch.keyMs = performance.now();
  };
  document.addEventListener('keydown', onKey, { capture: true });
  void watch.drawnMs.then(() => document.removeEventListener('keydown', onKey, { capture: true }));
  Object.assign(globalThis, { draftshelfWatch: watch });
}

/** Runs in the page: how long it took from the last key, and from the request for the rows, until they were drawn. */
export async function drawn(): Promise<{ sinceKey: number; sinceRequest: number }> {
  const watch = (globalThis as unknown as { draftshelfWatch: Watch }).draftshelfWatch;
  const drawnMs = await watch.drawnMs;
  const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/rows?'));
  const requestMs = requests.at(-1)?.startTime ?? Number.NaN;
  return { sinceKey: drawnMs - watch.keyMs, sinceRequest: drawnMs - requestMs };
}
