import { describe } from 'vitest';
import { queueBackends } from '../support/queue-backend.ts';
import { testRounds } from './short-rounds.ts';

describe.runIf(queueBackends().includes('redis'))('with jobs in redis', () => testRounds('redis'));
