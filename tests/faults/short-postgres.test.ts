import { describe } from 'vitest';
import { testRounds } from './short-rounds.ts';

describe('with jobs in postgres', () => testRounds('postgres'));
