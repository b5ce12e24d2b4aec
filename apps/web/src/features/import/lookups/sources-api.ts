import { useQuery } from '@tanstack/react-query';
import { assume } from '../../../api/assume.ts';
import type { CallRequest, Reply } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';

type SourceChanges = NonNullable<CallRequest<'changeSources'>['body']>['sources'];

/** The sources of product data with their quotas. */
export function useSources() {
  return useQuery(readOf('listSources'));
}

/** Switches sources and changes their order. */
export const useSourcesChange = (failed?: string) =>
  useCall('changeSources', {
    failed,
    assume: (client, { body }) =>
      assume<Reply<'listSources'>>(client, { queryKey: readKey('listSources') }, (sources) =>
        changedSources(sources, body?.sources ?? []),
      ),
    onSuccess: (sources, _request, client) => client.setQueryData(readKey('listSources'), sources),
  });

/** The sources after switches and moves. Quotas are shown when the server has them. */
function changedSources(sources: Reply<'listSources'>, changes: SourceChanges): Reply<'listSources'> {
  const switched = sources.map((source) => {
    const change = changes.find(({ name }) => name === source.name);
    return change?.enabled === undefined ? source : { ...source, enabled: change.enabled };
  });
  const places = changes.flatMap(({ name, position }) =>
    position === undefined ? [] : [{ name, position }],
  );
  const moved = switched.filter(({ name }) => places.every((place) => place.name !== name));
  for (const { name, position } of places.toSorted((a, b) => a.position - b.position)) {
    moved.splice(position, 0, ...switched.filter((source) => source.name === name));
  }
  return moved;
}
