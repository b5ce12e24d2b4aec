/** Times of the page, in its own clock. */
type Watch = {
  /** The latest click, input into a field, or Enter. */
  actedMs: number;
  /** When the reader of codes was loaded. */
  readerMs: number;
  /** Times from a picture's way to the worker until its code is known, since the last look. */
  readMs: number[];
  /** Times between two frames of the screen, since the last look. */
  frameMs: number[];
};

/** Runs in the page before its scripts: notes what the operator does, and the worker's messages. */
export function watchScanner(): void {
  const watch: Watch = { actedMs: 0, readerMs: 0, readMs: [], frameMs: [] };
  Object.assign(globalThis, { scannerWatch: watch });
  const onAct = () => {
    watch.actedMs = performance.now();
  };
  window.addEventListener('click', onAct, { capture: true });
  window.addEventListener('input', onAct, { capture: true });
  window.addEventListener('keydown', ({ key }) => key === 'Enter' && onAct(), { capture: true });
  const sent = new Map<number, number>();
  window.Worker = class extends Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options);
      this.addEventListener('message', ({ data }) => {
        if (data?.kind === 'ready') watch.readerMs = performance.now();
        const beganMs = sent.get(data?.id);
        if (data?.kind === 'read' && beganMs !== undefined) watch.readMs.push(performance.now() - beganMs);
      });
    }
    override postMessage(message: { id?: number }, options?: Transferable[] | StructuredSerializeOptions) {
      if (message.id !== undefined) sent.set(message.id, performance.now());
      super.postMessage(message, options as Transferable[]);
    }
  };
  let lastMs = performance.now();
  const onFrame = (nowMs: number) => {
    watch.frameMs.push(nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

/** Runs in the page: milliseconds from the last act until the reader is loaded and the camera's picture is shown. */
export async function scanViewReady(): Promise<number> {
  const watch = (globalThis as unknown as { scannerWatch: Watch }).scannerWatch;
  const isReady = () =>
    watch.readerMs > watch.actedMs &&
    document.querySelector('[role="dialog"] [data-state="running"]') !== null;
  await new Promise<void>((done) => {
    const look = () => (isReady() ? done() : requestAnimationFrame(look));
    look();
  });
  return performance.now() - watch.actedMs;
}

/** Elements to wait for, and where the time begins: at the last act, or at the end of the list's latest reply. */
type Drawing = { selector: string; count: number; from: 'act' | 'reply' };

/** Runs in the page: milliseconds until so many elements of a selector are painted. */
export async function painted({ selector, count, from }: Drawing): Promise<number> {
  await new Promise<void>((done) => {
    const isThere = () => document.querySelectorAll(selector).length >= count;
    const finish = () => requestAnimationFrame(() => requestAnimationFrame(() => done()));
    if (isThere()) return finish();
    const look = new MutationObserver(() => {
      if (!isThere()) return;
      look.disconnect();
      finish();
    });
    look.observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  const nowMs = performance.now();
  const watch = (globalThis as unknown as { scannerWatch: Watch }).scannerWatch;
  if (from === 'act') return nowMs - watch.actedMs;
  const replies = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const lists = replies.filter(({ name }) => /\/api\/scanner\/products(\?|$)/.test(name));
  return nowMs - (lists.at(-1)?.responseEnd ?? Number.NaN);
}

/** Runs in the page: the times of reading and of frames since the last call. */
export function frameTimes(): Pick<Watch, 'readMs' | 'frameMs'> {
  const watch = (globalThis as unknown as { scannerWatch: Watch }).scannerWatch;
  const { readMs, frameMs } = watch;
  Object.assign(watch, { readMs: [], frameMs: [] });
  return { readMs, frameMs };
}

/** Runs in the page: scrolls to the end, again and again, until so many elements of a selector are drawn. */
export async function scrollUntil({ selector, count }: { selector: string; count: number }): Promise<void> {
  while (document.querySelectorAll(selector).length < count) {
    window.scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((done) => requestAnimationFrame(done));
  }
}

/** Runs in the page: scrolls from the start to the end, a part of the window in each frame. */
export async function scrollThrough(pixels: number): Promise<void> {
  window.scrollTo(0, 0);
  while (window.scrollY + window.innerHeight < document.documentElement.scrollHeight - 1) {
    window.scrollBy(0, pixels);
    await new Promise((done) => requestAnimationFrame(done));
  }
}
