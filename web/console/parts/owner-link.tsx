import { Link } from '@tanstack/react-router';

export function OwnerLink({ owner }: { readonly owner: string }) {
  return (
    <Link to="/keys" search={{ owner }}>
      <bdi>{owner}</bdi>
    </Link>
  );
}
