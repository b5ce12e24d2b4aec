import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page, ViewportSize } from 'playwright-core';
import { expect } from 'vitest';
import { launchChromium } from './chromium.ts';

/** How long is waited for what a screen is to show, on a busy machine too. */
export const waitMsMax = 20_000;

export type VisitOptions = {
  viewport?: ViewportSize;
  colorScheme?: 'light' | 'dark';
  /** What the console may say in this visit beside nothing, because the test provokes it. */
  expectedConsole?: readonly RegExp[];
};

/** A real browser, for one product. */
export type TestBrowser = {
  /**
   * Runs `act` on a page of its own. Throws afterwards what the page had to complain about: errors in the console
   * (a breach of the content security policy is one), uncaught errors. A failure leaves a screenshot.
   */
  visit(options: VisitOptions, act: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Launches it; pages open addresses below `url`. */
export async function openBrowser(url: string): Promise<TestBrowser> {
  const browser = await launchChromium();
  return {
    async visit(options, act) {
      const context = await browser.newContext({
        baseURL: url,
        viewport: options.viewport ?? { width: 1440, height: 900 },
        colorScheme: options.colorScheme ?? 'light',
        locale: 'en-US',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(waitMsMax);
      const complaints = listen(context, options.expectedConsole ?? []);
      const page = await context.newPage();
      try {
        await act(page);
        expect(complaints, 'what the page complained about').toEqual([]);
      } catch (error) {
        throw await withScreenshot(page, error, complaints);
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

function listen(context: BrowserContext, expected: readonly RegExp[]): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const said = `${message.text()} (${message.location().url})`;
    if (isUnknownHost(said) || expected.some((one) => one.test(said))) return;
    complaints.push(said);
  });
  context.on('weberror', (error) => complaints.push(`Uncaught: ${error.error().stack ?? error.error()}`));
  return complaints;
}

/** Pictures of products lie on other hosts, and the tests' browser knows none. */
function isUnknownHost(said: string): boolean {
  return (
    said.includes('net::ERR_NAME_NOT_RESOLVED') && !/\(https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(said)
  );
}

async function withScreenshot(page: Page, error: unknown, complaints: readonly string[]): Promise<Error> {
  const dir = join(tmpdir(), 'draftshelf-screenshots');
  await mkdir(dir, { recursive: true });
  const name = (expect.getState().currentTestName ?? 'visit').replace(/[^\p{L}\p{N}]+/gu, '-');
  const path = join(dir, `${name}.png`);
  const shot = await page.screenshot({ path, fullPage: true }).then(
    () => `screenshot: ${path}`,
    (reason: Error) => `no screenshot: ${reason.message}`,
  );
  const text = error instanceof Error ? error.message : String(error);
  return new Error([text, `at ${page.url()}, ${shot}`, ...complaints].join('\n'), { cause: error });
}
