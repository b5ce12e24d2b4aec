import { runSimulator } from '@draftshelf/runtime/run-simulator';
import { createAiSimulator } from './server.ts';

await runSimulator('ai-simulator', createAiSimulator());
