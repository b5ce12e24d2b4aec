import { expect, it } from 'vitest';
import { findAiEnvProblem } from './ai-env.ts';

it('an AI service of the environment has an address and a model, and a key only with them', () => {
  const url = 'https://ai.example/v1';
  expect(findAiEnvProblem({})).toBeNull();
  expect(findAiEnvProblem({ AI_BASE_URL: url, AI_MODEL: 'm' })).toBeNull();
  expect(findAiEnvProblem({ AI_BASE_URL: url, AI_MODEL: 'm', AI_API_KEY: 'k' })).toBeNull();
  expect(findAiEnvProblem({ AI_BASE_URL: url })).toContain('AI_MODEL must be set too');
  expect(findAiEnvProblem({ AI_API_KEY: 'k' })).toContain('AI_BASE_URL must be set too, for AI_API_KEY');
  expect(findAiEnvProblem({ AI_API_KEY: 'k', AI_MODEL: 'm' })).toContain('for AI_API_KEY and AI_MODEL');
});
