/** The sign of the house, as it stands in the head of a page and on its tab. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 34"><title>Shotlist</title><rect width="34" height="34" rx="8" fill="#f07a2e"/><path d="M7 14.5h20v11a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2z" fill="#f6f1e7"/><g transform="rotate(-11 7 13)"><rect x="7" y="8" width="20" height="5" rx="1.2" fill="#17130f"/><path d="M10.500 8h3.200l-2 5H8.500zM17 8h3.200l-2 5H15zM23.500 8h3.200l-2 5h-3.200z" fill="#f6f1e7"/></g></svg>';
