import { fileURLToPath } from 'node:url';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { TestProject } from 'vitest/node';
import startServices from '../integration/services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built web app lies. */
    webDir: string;
  }
}

/** vitest's global set-up: the services of the integration tests, and the web app as it is built for users. */
export default async function startProductServices(project: TestProject): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  project.provide('webDir', await buildWeb(root, (text) => console.log(text)));
  return startServices(project);
}
