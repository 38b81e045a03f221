import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../shared/ui/controls/button.tsx';

/** A button that removes all filters, for lists that are empty because of them. */
export function ClearFilters() {
  return (
    <Link to="." search={{}} replace className={buttonClass('plain')}>
      Clear filters
    </Link>
  );
}
