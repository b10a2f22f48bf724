// Minimum version of Node. Plain old syntax, like the files that import it.
export default 24;
