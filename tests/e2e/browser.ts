import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Browser,
  BrowserContext,
  ConsoleMessage,
  Page,
  Request,
  ViewportSize,
  WebError,
} from 'playwright-core';
import { expect } from 'vitest';
import { pageFor } from './visit-pages.ts';

/** Time-out for what a screen should show, also on a busy machine. */
export const waitMsMax = 40_000;

/** Recording every step costs passing tests time, so a trace has to be asked for. */
const isTraced = process.env.TRACE === '1';

export type VisitOptions = {
  viewport?: ViewportSize;
  colorScheme?: 'light' | 'dark';
  /** A device with a touch screen and no mouse. */
  touch?: boolean;
  /** The operator has allowed the camera. Else the browser refuses it. */
  camera?: boolean;
  /** A browser that was never at this address: it has none of the app's files. */
  isFirst?: boolean;
  /** Messages allowed in the console, because the test causes them. */
  expectedConsole?: readonly RegExp[];
};

/** A real browser for one stack. */
export type TestBrowser = {
  /**
   * Runs `act` on a page as of a new browser. Throws afterwards if the page had errors: in the console (also violations
   * of the content security policy) or uncaught ones. A failure saves a screenshot, and with TRACE=1 a trace.
   */
  visit(options: VisitOptions, act: (page: Page) => Promise<void>): Promise<void>;
};

/** Visits with Chromium to addresses below `url`. */
export function openBrowser(chromium: Browser, url: string): TestBrowser {
  return {
    async visit(options, act) {
      const { viewport, colorScheme, touch = false, camera = false, isFirst = false } = options;
      const visited = await pageFor(chromium, { url, touch, camera }, isFirst || isTraced);
      const { page } = visited;
      const context = page.context();
      context.setDefaultTimeout(waitMsMax);
      if (viewport) await page.setViewportSize(viewport);
      if (colorScheme) await page.emulateMedia({ colorScheme });
      const heard = listen(context, options.expectedConsole ?? []);
      if (isTraced) await context.tracing.start({ screenshots: true, snapshots: true });
      try {
        await act(page);
        expect(heard.complaints, 'what the page complained about').toEqual([]);
      } catch (error) {
        const shown = await withEvidence(page, error, [
          ...heard.complaints,
          ...heard.slow,
          ...heard.awaited(),
        ]);
        await visited.close();
        throw shown;
      }
      heard.stop();
      await visited.release();
    },
  };
}

function listen(context: BrowserContext, expected: readonly RegExp[]) {
  const complaints: string[] = [];
  const slow: string[] = [];
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    const text = `${message.text()} (${message.location().url})`;
    if (isUnknownHost(text) || expected.some((one) => one.test(text))) return;
    (isTooSlow(text) ? slow : complaints).push(text);
  };
  const onError = (error: WebError) => {
    complaints.push(`Uncaught: ${error.error().stack ?? error.error()}`);
  };
  const sent = new Set<Request>();
  const onRequest = (request: Request) => void sent.add(request);
  const onEnd = (request: Request) => void sent.delete(request);
  context.on('console', onConsole);
  context.on('weberror', onError);
  context.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  const stop = () => {
    context.off('console', onConsole).off('weberror', onError);
    context.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd);
  };
  const awaited = () => [...sent].map((one) => `no answer yet: ${one.method()} ${one.url()}`);
  return { complaints, slow, awaited, stop };
}

/** Product pictures are on other hosts, which the tests' browser cannot resolve. */
function isUnknownHost(text: string): boolean {
  return (
    text.includes('net::ERR_NAME_NOT_RESOLVED') && !/\(https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(text)
  );
}

/** The api of an overloaded machine ends statements that take too long. It is no error, but may explain one. */
function isTooSlow(text: string): boolean {
  return /status of 503 .*\/api\//.test(text);
}

/** The error with the paths of a screenshot and, if one was recorded, of a trace. */
async function withEvidence(page: Page, error: unknown, complaints: readonly string[]): Promise<Error> {
  const dir = join(tmpdir(), 'draftshelf-screenshots');
  await mkdir(dir, { recursive: true });
  const name = (expect.getState().currentTestName ?? 'visit').replace(/[^\p{L}\p{N}]+/gu, '-');
  const path = join(dir, name);
  const shot = await page.screenshot({ path: `${path}.png`, fullPage: true }).then(
    () => `screenshot: ${path}.png`,
    (reason: Error) => `no screenshot: ${reason.message}`,
  );
  const lines = [error instanceof Error ? error.message : String(error), `at ${page.url()}, ${shot}`];
  const alerts = await page
    .getByRole('alert')
    .allInnerTexts()
    .catch(() => []);
  lines.push(...alerts.map((alert) => `the page said: ${alert}`));
  if (isTraced) {
    await page.context().tracing.stop({ path: `${path}.zip` });
    lines.push(`trace: ${path}.zip`);
  }
  return new Error([...lines, ...complaints].join('\n'), { cause: error });
}
