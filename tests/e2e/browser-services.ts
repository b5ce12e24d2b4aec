import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { TestProject } from 'vitest/node';
import startServices from '../support/services.ts';
import { installedBrowser, isHeaded } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the built web app. */
    webDir: string;
  }
}

/** vitest's global set-up: the services of the integration tests, and the production build of the web app. */
export default async function startProductServices(project: TestProject): Promise<() => Promise<void>> {
  // Fails before the build.
  if (isHeaded) installedBrowser();
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const built = await buildWeb(root, (text) => console.log(text));
  // A copy, because a concurrent build would replace the files during the tests.
  const webDir = await mkdtemp(join(tmpdir(), 'draftshelf-web-'));
  await cp(built, webDir, { recursive: true });
  project.provide('webDir', webDir);
  const stop = await startServices(project);
  return async () => {
    await stop();
    await rm(webDir, { recursive: true, force: true });
  };
}
