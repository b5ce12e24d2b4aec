import { runSimulator } from '@draftshelf/runtime/run-simulator';
import { createSourceSimulator } from './server.ts';

await runSimulator('source-simulator', createSourceSimulator());
