import { showElement } from '../../ui/hooks/show-element.ts';
import { useAddressParam } from '../../ui/hooks/use-address-param.ts';

/** The sections of what is known of an import, beside its rows. */
export type DetailsSection =
  | 'before-push'
  | 'in-store'
  | 'list-since'
  | 'field-mapping'
  | 'file'
  | 'pictures'
  | 'upc-lookup'
  | 'ask-ai';

export const detailsParam = 'details';

/** The section that the address opens beside the rows (`?details=file`), and how to open another one; null: none. */
export function useDetails(): [string | null, (section: DetailsSection | null) => void] {
  const [section, setSection] = useAddressParam(detailsParam);
  return [section, (next) => (next !== null && next === section ? showElement(next) : setSection(next))];
}
