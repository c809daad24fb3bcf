"""The commands, one file each; scopa_net.cli names them."""
