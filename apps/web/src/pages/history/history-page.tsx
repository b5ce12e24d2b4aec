import { LaterPage, To } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <LaterPage title="History">
      This screen is not built yet: it will list completed, failed and cancelled imports with filters and
      reports; until then the <To path="/queue">Processing Queue</To> also shows the latest finished ones.
    </LaterPage>
  );
}
