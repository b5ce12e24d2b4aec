import { runSimulator } from '@draftshelf/runtime/run-simulator';
import { createGraphSimulator } from './server.ts';

await runSimulator('graph-simulator', createGraphSimulator());
