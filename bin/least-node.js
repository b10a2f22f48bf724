// The oldest Node that runs the program. Plain old syntax, like what imports it.
export default 24;
