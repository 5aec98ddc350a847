// The scripts of the table are one module: what a file hands to the others is a constant of its
// name. What several want to hear of is announced as an event, each of them by one file.
const announce = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
