import type { AiTarget } from './collect-asks.ts';

/** A service and its model in one text, as it is stored with what was found out about it or queued for it. */
export const serviceName = ({ baseUrl, model }: AiTarget): string => `${baseUrl} ${model}`;
