import { shownSourceParam } from '../../lib/paths.ts';
import { showElement } from '../../ui/hooks/show-element.ts';
import { useAddressParam } from '../../ui/hooks/use-address-param.ts';

/** Returns a function that shows the proposals of a source. */
export function useShowProposals(): (source: string) => void {
  const [, setSource] = useAddressParam(shownSourceParam);
  return (source) => {
    setSource(source);
    showElement('proposals');
  };
}
