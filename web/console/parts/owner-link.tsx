import { Link } from '@tanstack/react-router';

/** `row`: it opens the row of a table. */
export function OwnerLink({ owner, row = false }: { readonly owner: string; readonly row?: boolean }) {
  return (
    <Link to="/owners/$owner" params={{ owner }} data-row-link={row ? true : undefined}>
      <bdi>{owner}</bdi>
    </Link>
  );
}
