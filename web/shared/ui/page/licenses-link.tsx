/** Leads to the licenses of what the pages are made of, which the build puts beside them. */
export function LicensesLink() {
  return <a href="./licenses.txt">Open-source licenses</a>;
}
